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

(defun drive-server ()
  "Start the server, rename and format."
  (setq gram-server-command (list (getenv "GRAM_SERVER"))
        eglot-sync-connect 10
        eglot-confirm-server-initiated-edits nil)
  (drive-open "clerk.gram")
  (apply #'eglot (eglot--guess-contact))
  (drive-check "connected" (eglot-current-server) "")
  (goto-char (point-max))
  (search-backward "weather")
  (cl-letf (((symbol-function 'y-or-n-p) #'always)) ; as a person would answer
    (eglot-rename "forecast"))
  (let ((clerk (buffer-string)))
    (drive-open "tools.gram")
    (drive-check "rename" (and (string-match-p "| forecast\\]" clerk) (string-match-p "forecast:Tool" (buffer-string)))
                 (concat clerk (buffer-string))))
  (drive-open "ugly.gram")
  (eglot-format-buffer)
  (drive-check "formatting"
               (equal (buffer-string) (with-temp-buffer
                                        (insert-file-contents (expand-file-name "formatted.txt" (getenv "GRAM_FOLDER")))
                                        (buffer-string)))
               (buffer-string))
  (insert "[broken:")
  (let (told)
    (let ((server (eglot-current-server)))
      (eglot--signal-textDocument/didChange)
      (setq told (append (plist-get (jsonrpc-request server :textDocument/diagnostic
                                                     (list :textDocument (eglot--TextDocumentIdentifier)))
                                    :items)
                         nil))
      (drive-check "diagnostics" told (plist-get (car told) :message))
      (eglot-shutdown server nil 5))))

(condition-case err
    (progn (drive-colours) (drive-server))
  (error (drive-check "everything" nil err)))
(kill-emacs (if drive-failed 1 0))
;;; drive.el ends here
