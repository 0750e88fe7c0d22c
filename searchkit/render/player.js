// Plays the solutions of the data block. Texts reach the page as text nodes and attributes only.
(() => {
  "use strict";

  const data = JSON.parse(document.getElementById("data").textContent);
  const $ = (id) => document.getElementById(id);
  const root = document.documentElement;
  const BEAT = 900; // milliseconds from move to move at speed 1
  const GLIDE = 380; // milliseconds that a piece is under way, at most
  const calm = matchMedia("(prefers-reduced-motion: reduce)");

  const pre = document.querySelector("pre.picture");
  const drawing = document.querySelector("svg.picture");
  const pieces = document.querySelector(".pieces");
  const groups = [...document.querySelectorAll(".piece")];
  const byRole = new Map(groups.map((group) => [Number(group.dataset.role), group]));

  let solution = data.solutions[0];
  let at = 0; // moves made so far
  let shown = new Map(); // of each role that is seen: [x, y]
  let playing = false;
  let run = 0; // grows with every change; what began before a change ends

  const steps = () => solution.steps;
  const speed = () => Number($("speed").value);
  const beat = () => BEAT / speed();
  const lastFrame = (n) => (n ? steps()[n - 1].frames.at(-1) : solution.start);
  const pause = (time) => new Promise((done) => setTimeout(done, time));

  // ---- the board

  function draw(frame, time) {
    if (pre) {
      pre.textContent = frame.text;
      return;
    }
    const now = new Map(frame.pieces.map(([role, x, y]) => [role, [x, y]]));
    const moves = ([role, x, y]) => shown.has(role) && String(shown.get(role)) !== String([x, y]);
    // What moves passes above what does not.
    if (time) for (const piece of frame.pieces) if (moves(piece)) pieces.append(byRole.get(piece[0]));
    for (const [role, x, y, colour, label] of frame.pieces) {
      const group = byRole.get(role);
      const before = shown.get(role);
      const text = group.querySelector("text");
      if (text.textContent !== label) text.textContent = label;
      for (const animation of group.getAnimations()) animation.cancel();
      group.setAttribute("class", `piece ${colour}`);
      group.setAttribute("transform", `translate(${x} ${y})`);
      if (!time) continue;
      const here = `translate(${x}px, ${y}px)`;
      if (moves([role, x, y])) {
        const middle = `translate(${(before[0] + x) / 2}px, ${(before[1] + y) / 2}px)`;
        const lift = group.firstElementChild.tagName === "ellipse" ? " scale(1.18)" : "";
        const from = `translate(${before[0]}px, ${before[1]}px)`;
        group.animate({ transform: [from, middle + lift, here] }, { duration: time, easing: "ease-in-out" });
      } else if (!before) {
        group.animate({ opacity: [0, 1] }, { duration: time });
      }
    }
    for (const [role, [x, y]] of shown) {
      if (now.has(role)) continue;
      const group = byRole.get(role);
      for (const animation of group.getAnimations()) animation.cancel();
      group.classList.add("gone");
      group.classList.remove("lit");
      if (!time) continue;
      const there = `translate(${x}px, ${y}px)`;
      group.animate(
        { transform: [there, there, `${there} scale(0.4)`], opacity: [1, 1, 0], visibility: ["visible", "visible", "visible"] },
        { duration: time * 1.15 },
      );
    }
    shown = now;
  }

  // Texts are as large as the largest of them allows.
  let largest = null;

  function measure() {
    pre.style.fontSize = "16px";
    pre.style.minWidth = pre.style.minHeight = "0";
    largest = { width: 1, height: 1 };
    for (const frame of [solution.start, ...steps().flatMap((step) => step.frames)]) {
      pre.textContent = frame.text;
      const box = pre.getBoundingClientRect();
      largest.width = Math.max(largest.width, box.width);
      largest.height = Math.max(largest.height, box.height);
    }
  }

  function fit() {
    if (!largest) return;
    const room = Math.min($("board").clientWidth / largest.width, (0.55 * innerHeight) / largest.height);
    const size = Math.max(7, Math.min(30, 16 * room));
    pre.style.fontSize = `${size}px`;
    pre.style.minHeight = `${Math.ceil((largest.height * size) / 16)}px`;
    pre.style.minWidth = `${Math.floor((largest.width * size) / 16)}px`;
  }

  // The pieces that the last move has changed, unless that is most of them.
  function light() {
    if (pre) return;
    const before = new Map((at ? lastFrame(at - 1) : solution.start).pieces.map((piece) => [piece[0], piece]));
    const now = lastFrame(at).pieces;
    const changed = now.filter(([role, x, y]) => {
      const old = before.get(role);
      return !old || old[1] !== x || old[2] !== y;
    });
    const some = changed.length <= now.length / 2 || changed.length === 1;
    const lit = new Set(at && some ? changed.map(([role]) => role) : []);
    for (const [role, group] of byRole) group.classList.toggle("lit", lit.has(role));
  }

  // ---- where we are

  function describe() {
    const total = steps().length;
    const words = lastFrame(at).words;
    const step = at ? `Move ${at} of ${total}: ${steps()[at - 1].move}.` : `Start, ${total} moves to go.`;
    const end = at === total ? " This is the end." : "";
    $("live").setAttribute("aria-live", playing ? "off" : "polite");
    $("live").textContent = `${step} ${words}.${end}`;
    if (drawing) drawing.setAttribute("aria-label", words);
    $("count").textContent = `${at} / ${total}`;
    $("scrub").value = at;
    $("scrub").setAttribute("aria-valuetext", at ? `move ${at} of ${total}: ${steps()[at - 1].move}` : "start");
    $("first").disabled = $("back").disabled = at === 0;
    $("last").disabled = $("forward").disabled = at === total;
    $("play").setAttribute("aria-label", playing ? "Pause" : at === total ? "Play again" : "Play");
    document.body.classList.toggle("playing", playing);
    root.dataset.at = at;
    const old = $("moves").querySelector("[aria-current]");
    if (old) old.removeAttribute("aria-current");
    $("moves").children[at].firstElementChild.setAttribute("aria-current", "step");
    follow();
  }

  // Scrolls the list of moves, and nothing else.
  function follow() {
    const list = $("moves");
    const item = list.querySelector("[aria-current]");
    if (!item) return;
    const box = list.getBoundingClientRect();
    const own = item.getBoundingClientRect();
    if (own.top < box.top) list.scrollTop -= box.top - own.top + own.height;
    else if (own.bottom > box.bottom) list.scrollTop += own.bottom - box.bottom + own.height;
  }

  async function show(target) {
    const mine = ++run;
    const forward = target === at + 1;
    const near = Math.abs(target - at) === 1;
    const frames = forward ? steps()[at].frames : [lastFrame(target)];
    at = target;
    root.dataset.busy = "yes";
    describe();
    if (near && !calm.matches && !pre) {
      for (const group of groups) group.classList.remove("lit");
      for (const frame of frames) {
        const time = Math.min(GLIDE, beat() * 0.6);
        draw(frame, time);
        await pause(time);
        if (mine !== run) return;
      }
    } else {
      draw(lastFrame(at), 0);
    }
    light();
    delete root.dataset.busy;
  }

  function go(target) {
    const bounded = Math.max(0, Math.min(steps().length, target));
    if (bounded !== at) show(bounded);
    else describe();
  }

  // ---- playing

  async function play() {
    if (at === steps().length) {
      draw(solution.start, 0);
      at = 0;
      light();
    }
    playing = true;
    describe();
    let mine = ++run;
    await pause(at ? 0 : beat() / 2);
    while (playing && mine === run && at < steps().length) {
      const began = performance.now();
      const done = show(at + 1);
      mine = run;
      await done;
      await pause(Math.max(beat() - (performance.now() - began), beat() / 4));
    }
    if (mine === run) stop();
  }

  function stop() {
    playing = false;
    describe();
  }

  // Whoever takes a step by hand wants no more of them by themselves.
  function step(target) {
    playing = false;
    go(target);
  }

  function toggle() {
    if (playing) stop();
    else play();
  }

  // ---- the list of moves, and which solution

  function choose(number) {
    playing = false;
    run += 1;
    solution = data.solutions[number];
    at = 0;
    for (const group of groups) group.setAttribute("class", "piece plain gone");
    shown = new Map();
    $("scrub").max = steps().length;
    $("moves").replaceChildren(entry(0, "start"), ...steps().map((each, i) => entry(i + 1, each.move)));
    if (pre) {
      measure();
      fit();
    }
    draw(solution.start, 0);
    light();
    describe();
    delete root.dataset.busy;
  }

  function entry(number, text) {
    const item = document.createElement("li");
    const button = document.createElement("button");
    button.type = "button";
    if (number) {
      const label = document.createElement("span");
      label.className = "number";
      label.textContent = number;
      button.append(label, " ");
    }
    button.append(text);
    button.addEventListener("click", () => step(number));
    item.append(button);
    return item;
  }

  // ---- the theme: as the system has it, or the other one

  const prefersDark = matchMedia("(prefers-color-scheme: dark)");

  function theme() {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : prefersDark.matches;
    root.dataset.theme = dark ? "light" : "dark";
    $("theme").setAttribute("aria-label", `Theme: ${root.dataset.theme}`);
  }

  // ---- hands on

  function faster(by) {
    const select = $("speed");
    select.selectedIndex = Math.max(0, Math.min(select.options.length - 1, select.selectedIndex + by));
  }

  const keys = {
    ArrowRight: () => step(at + 1),
    ArrowLeft: () => step(at - 1),
    Home: () => step(0),
    End: () => step(steps().length),
    " ": toggle,
    k: toggle,
    "+": () => faster(1),
    "=": () => faster(1),
    "-": () => faster(-1),
    d: theme,
  };

  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const on = event.target;
    if (on.tagName === "SELECT" || on.tagName === "TEXTAREA") return;
    if (on.tagName === "BUTTON" && event.key === " ") return; // that presses the button
    if (on.type === "range" && event.key !== " " && event.key.length > 1) return; // that moves it
    const act = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });

  $("play").addEventListener("click", toggle);
  $("first").addEventListener("click", () => step(0));
  $("back").addEventListener("click", () => step(at - 1));
  $("forward").addEventListener("click", () => step(at + 1));
  $("last").addEventListener("click", () => step(steps().length));
  $("scrub").addEventListener("input", (event) => step(Number(event.target.value)));
  $("theme").addEventListener("click", theme);
  if ($("solution")) $("solution").addEventListener("change", (event) => choose(Number(event.target.value)));

  addEventListener("resize", fit);

  for (const id of ["controls", "theme", "choose", "keys"]) if ($(id)) $(id).hidden = false;
  choose(0);
})();
