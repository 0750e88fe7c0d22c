"""Problems in the shapes that other libraries expect.

Each module needs a library of its own: `searchkit.interop.gymnasium` the extra `gymnasium`,
`searchkit.interop.networkx` the extra `networkx`.
"""
