import { createECDH, randomBytes } from 'node:crypto'
import type { Command } from 'commander'
import type { CliContext } from './cli_context.ts'

const SECRET_BYTES = 64
const KEY_BYTES = 32

/** A key pair for Web Push (RFC 8292): P-256, in URL-safe base64 without padding. */
function generateVapidKeys(): { privateKey: string; publicKey: string } {
  const curve = createECDH('prime256v1')
  curve.generateKeys()
  const key = curve.getPrivateKey()
  // OpenSSL omits leading zeros.
  const padded = Buffer.concat([Buffer.alloc(KEY_BYTES - key.length), key])
  return { privateKey: padded.toString('base64url'), publicKey: curve.getPublicKey().toString('base64url') }
}

/**
 * The commands that print new secrets, for use elsewhere: the server generates its own at its first
 * start and stores them in the database.
 */
export function addSecrets(program: Command, context: CliContext): void {
  program
    .command('secret')
    .description('print a random secret of 128 hex digits')
    .action(() => context.print(randomBytes(SECRET_BYTES).toString('hex')))
  program
    .command('webpush')
    .description('manage keys for Web Push')
    .command('generate-vapid-key')
    .description('print a new key pair; the server generates its own and does not need it')
    .action(() => {
      const { privateKey, publicKey } = generateVapidKeys()
      context.print(`VAPID_PRIVATE_KEY=${privateKey}`)
      context.print(`VAPID_PUBLIC_KEY=${publicKey}`)
    })
}
