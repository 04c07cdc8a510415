/**
 * The jobs that run while the server ends: what it has to say to others, and what members need who
 * fetch their data. Everything else, such as scheduled posts, stays undone.
 */
export const CLOSED_SERVER_JOBS: readonly RegExp[] = [
  /^federation\.(?:deliver|send_account|tell_of_deletions|remove_finished)$/,
  /^exports\./,
  /^letters\./,
  /^credentials\./,
  /^authorization\./,
  /^account_removal\./,
  /^media\.remove_files$/,
  /^backup\./,
]
