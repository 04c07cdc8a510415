/** The script that talks to the security key. */
export const SCRIPT = '/assets/security_key.js'
