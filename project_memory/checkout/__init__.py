"""What a git checkout tells: the identity of its repository."""
