#!/usr/bin/env bash
# Replays recorded requests of existing clients against the service: npm run test:clients -- FILE
set -euo pipefail
if [ "${1:-}" = --help ]; then
  printf '%s\n' 'npm run test:clients -- FILE' '' \
    'Replays recorded requests of existing clients, one JSON object a line. Ends with 1 if an answer does not fit.'
  exit 0
fi
CLIENT_REQUESTS=$(realpath "${1:?Give the file with the recorded requests, one JSON object a line.}")
export CLIENT_REQUESTS
cd "$(dirname "$0")/.."
exec npx jest --selectProjects e2e --testPathPatterns e2e/clients
