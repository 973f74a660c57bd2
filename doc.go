// Package gramc is the root of the gram toolchain. It holds no code yet, only an
// example; docs/architecture.md is the map.
package gramc
