"""The reference engines: any hashable state, one readable file per algorithm."""
