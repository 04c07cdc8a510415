/** The script that communicates with the security key. */
export const SCRIPT = '/assets/security_key.js'
