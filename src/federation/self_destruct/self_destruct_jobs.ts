/**
 * The jobs that run during self-destruction: deliveries to other servers, and jobs that members
 * need to download their data, change their address and confirm it. All other jobs, such as
 * scheduled posts, do not run.
 */
export const SELF_DESTRUCT_JOBS: readonly RegExp[] = [
  /^federation\.(?:deliver|send_account|send_deletions|remove_finished)$/,
  /^exports\./,
  /^letters\./,
  /^credentials\./,
  /^authorization\./,
  /^account_removal\./,
  /^accounts\.send_confirmation$/,
  /^registration\.resend_confirmation$/,
  /^media\.remove_files$/,
  /^backup\./,
]
