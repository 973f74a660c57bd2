return require('gram').config
