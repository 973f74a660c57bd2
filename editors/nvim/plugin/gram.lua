require('gram').setup()
