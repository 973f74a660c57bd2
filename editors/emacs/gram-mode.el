;;; gram-mode.el --- Agents written in gram  -*- lexical-binding: t; -*-

;; Version: 0.1.0
;; Package-Requires: ((emacs "27.1") (eglot "1.9"))
;; Keywords: languages
;; URL: https://github.com/gram-lang/gramc

;;; Commentary:

;; A major mode for gram files, with the language server gram-lsp through
;; Eglot: M-x eglot, or (add-hook 'gram-mode-hook #'eglot-ensure).

;;; Code:

(defgroup gram nil
  "Agents written in gram."
  :group 'languages)

(defcustom gram-server-command '("gram-lsp")
  "The language server and its arguments."
  :type '(repeat string))

(defconst gram--symbol "[A-Za-z_][0-9A-Za-z_.@-]*")

(defconst gram--labels
  '("Agent" "Library" "Tool" "Command" "Http" "Mcp" "Builtin" "Type" "Enum" "Union" "Allow" "Ask" "Deny"))

(defconst gram--types
  '("Text" "String" "Int" "Integer" "Number" "Double" "Bool" "Boolean" "Any" "Null" "Array" "Object" "Map"))

(defvar gram-font-lock-keywords
  `((,(concat "\\(" gram--symbol "\\)\\s-*::?\\s-*" (regexp-opt gram--labels 'symbols))
     (1 font-lock-function-name-face) (2 font-lock-keyword-face))
    (,(concat "::?\\s-*" (regexp-opt gram--labels 'symbols)) (1 font-lock-keyword-face))
    (,(concat "::\\s-*" (regexp-opt gram--types 'symbols)) (1 font-lock-builtin-face))
    (,(concat "::\\s-*\\(" gram--symbol "\\)") (1 font-lock-type-face))
    (,(concat "\\(" gram--symbol "\\)\\s-*::") (1 font-lock-variable-name-face))
    (,(concat "\\(" gram--symbol "\\)\\s-*:") (1 font-lock-constant-face))
    (,(regexp-opt '("true" "false") 'symbols) (1 font-lock-constant-face))
    (,(concat "@@?" gram--symbol) (0 font-lock-preprocessor-face))
    ("`[^`\n]*`" (0 font-lock-string-face keep)))
  "What is coloured besides strings and comments.")

(defvar gram-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?/ ". 12" table)
    (modify-syntax-entry ?\n ">" table)
    (modify-syntax-entry ?\" "\"" table)
    (modify-syntax-entry ?\\ "\\" table)
    (modify-syntax-entry ?` "." table)
    (dolist (c '(?_ ?- ?@ ?.)) (modify-syntax-entry c "_" table))
    (dolist (c '(?: ?| ?= ?~ ?< ?> ?,)) (modify-syntax-entry c "." table))
    table)
  "The syntax of gram.")

(defconst gram--propertize
  (syntax-propertize-rules
   ;; A text between two lines of three backticks, which may hold quotes.
   ("```" (0 (let ((state (save-excursion (syntax-ppss (match-beginning 0)))))
               (unless (nth 4 state)
                 (when (memq (nth 3 state) '(nil t))
                   (string-to-syntax "|"))))))
   ;; A single quote quotes, unless it stands in other quotes.
   ("'" (0 (unless (nth 8 (save-excursion (syntax-ppss (match-beginning 0))))
             (string-to-syntax "\"")))))
  "What the syntax table cannot say.")

;;;###autoload
(define-derived-mode gram-mode prog-mode "gram"
  "Major mode for agents written in gram."
  (setq-local comment-start "// "
              comment-start-skip "//+\\s-*"
              comment-end ""
              indent-tabs-mode nil
              tab-width 2
              syntax-propertize-function gram--propertize
              font-lock-defaults '(gram-font-lock-keywords)
              electric-indent-inhibit t))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.gram\\'" . gram-mode))

(with-eval-after-load 'eglot
  (defvar eglot-server-programs)
  (add-to-list 'eglot-server-programs
               (cons 'gram-mode (lambda (&rest _) gram-server-command))))

(provide 'gram-mode)
;;; gram-mode.el ends here
