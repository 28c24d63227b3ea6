"""What every HTTP operation stands on: who asks, what it takes, how it says no."""
