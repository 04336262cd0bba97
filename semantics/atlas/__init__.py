"""The atlas: event algebras as points of one space: which instances pair, which are selected, what is consumed."""
