has() { grep -qx "$*" plan.txt; }
body() {
  has "skipped $1" && skip 'on purpose'
  echo "$1" >> ran.log
  if has "fails $1"; then return 1; fi
  if has "retried $1" && [ "$(grep -cx "$1" ran.log)" = 1 ]; then return 1; fi
}
