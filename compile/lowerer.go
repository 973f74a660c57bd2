package compile

// A lowerer lowers libraries.
type lowerer struct{ *checker }
