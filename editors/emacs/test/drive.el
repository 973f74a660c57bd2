;;; drive.el --- Eglot drives the server  -*- lexical-binding: t; -*-

;;; Commentary:

;; emacs -q --batch -L emacs -l drive.el, with GRAM_SERVER and
;; GRAM_FOLDER (with clerk.gram, tools.gram and ugly.gram) in the environment.
;; Each check is a line: ok NAME or FAIL NAME, with words behind a colon.

;;; Code:

(package-initialize)
(require 'eglot)
(require 'gram-mode)

(defvar drive-failed nil)

(defun drive-check (name ok detail)
  "Tell whether the check NAME is OK, with DETAIL."
  (unless ok (setq drive-failed t))
  (princ (format "%s %s: %s\n" (if ok "ok" "FAIL") name detail)))

(defun drive-open (name)
  "Show the file NAME."
  (set-buffer (find-file-noselect (expand-file-name name (getenv "GRAM_FOLDER")))))

(defun drive-face (word)
  "The face of WORD."
  (goto-char (point-min))
  (search-forward word)
  (get-text-property (match-beginning 0) 'face))

(defun drive-colours ()
  "Look at the colours."
  (drive-open "clerk.gram")
  (font-lock-ensure)
  (let ((faces (mapcar #'drive-face '("Agent" "clerk" "instruction" "Use" "import"))))
    (drive-check "colours" (equal faces '(font-lock-keyword-face font-lock-function-name-face font-lock-constant-face
                                          font-lock-string-face font-lock-constant-face))
                 faces)))

(defmacro drive-until (form)
  "Wait until FORM is no longer nil, and return it."
  `(let (found)
     (with-timeout (10 nil)
       (while (not (setq found ,form))
         (accept-process-output nil 0.05)))
     found))

(defun drive-connect ()
  "Open a file as the README says."
  (setq gram-server-command (list (getenv "GRAM_SERVER"))
        eglot-sync-connect 10
        eglot-confirm-server-initiated-edits nil)
  (add-hook 'gram-mode-hook #'eglot-ensure)
  (kill-buffer)
  (drive-open "clerk.gram")
  (run-hooks 'post-command-hook) ; as after a command
  (drive-check "connected" (drive-until (eglot-managed-p)) ""))

(defun drive-definition ()
  "Go from a use of a tool to where it is defined."
  (goto-char (point-max))
  (search-backward "weather")
  (xref-find-definitions (xref-backend-identifier-at-point 'eglot))
  (drive-check "definition" (string-suffix-p "tools.gram" buffer-file-name) buffer-file-name))

(defun drive-rename ()
  "Rename a tool in two files."
  (drive-open "clerk.gram")
  (goto-char (point-max))
  (search-backward "weather")
  (cl-letf (((symbol-function 'y-or-n-p) #'always)) ; as a person would answer
    (eglot-rename "forecast"))
  (let ((clerk (buffer-string)))
    (drive-open "tools.gram")
    (drive-check "rename" (and (string-match-p "| forecast\\]" clerk) (string-match-p "forecast:Tool" (buffer-string)))
                 (concat clerk (buffer-string)))))

(defun drive-format ()
  "Format a file."
  (drive-open "ugly.gram")
  (eglot-format-buffer)
  (drive-check "formatting"
               (equal (buffer-string) (with-temp-buffer
                                        (insert-file-contents (expand-file-name "formatted.txt" (getenv "GRAM_FOLDER")))
                                        (buffer-string)))
               (buffer-string)))

(defun drive-diagnostics ()
  "Write something wrong, and see it underlined."
  (erase-buffer)
  (insert "[broken:Agent {instruction: \"i\", mo}]\n")
  (let ((told (drive-until (progn (eglot--signal-textDocument/didChange) (flymake-start) (flymake-diagnostics)))))
    (drive-check "diagnostics" (seq-some (lambda (d) (equal (char-after (flymake-diagnostic-beg d)) ?m)) told)
                 (mapcar #'flymake-diagnostic-text told))))

(defun drive-complete ()
  "Complete the name of a property."
  (goto-char (point-min))
  (search-forward "mo")
  (let* ((table (nth 2 (eglot-completion-at-point)))
         (found (all-completions "mo" table)))
    (drive-check "completion" (seq-some (lambda (c) (string-prefix-p "model" c)) found) found)))

(condition-case err
    (progn
      (drive-colours) (drive-connect) (drive-definition) (drive-rename) (drive-format) (drive-diagnostics) (drive-complete)
      (eglot-shutdown (eglot-current-server) nil 5))
  (error (drive-check "everything" nil err)))
(kill-emacs (if drive-failed 1 0))
;;; drive.el ends here
