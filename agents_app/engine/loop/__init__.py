"""The loop: kernel, one running of an agent, its steps, its end, and where middleware acts."""
