"""The permanent campaign: random problems, kills, damage and hostile input, without end."""
