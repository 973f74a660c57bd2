// Package serving is what the programs that serve agents have in common: how the agents of files
// become those of package server, and the flags that say where the server is and who is let in. How
// files are read and models are reached is up to the programs.
package serving
