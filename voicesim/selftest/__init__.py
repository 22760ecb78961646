"""voicesim measured by itself: calls whose every instant is known, over every transport."""
