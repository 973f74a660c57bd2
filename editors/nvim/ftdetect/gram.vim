autocmd BufRead,BufNewFile *.gram setfiletype gram
