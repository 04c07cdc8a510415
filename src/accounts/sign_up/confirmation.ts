import { c, query } from '../../database/index.ts'
import { parseId, type Id } from '../../id.ts'
import { job } from '../../jobs/index.ts'
import type { Letter } from '../../mail/index.ts'
import { randomSecret } from '../../oauth/secret.ts'
import { hashSecret } from '../../oauth/token.ts'
import type { Services } from '../../services.ts'
import { escapeHtml } from '../../text/index.ts'

const renewConfirmation = query(
  'accounts/renew_confirmation',
  { user: c.id, token_hash: c.bytes },
  { email: c.text, username: c.text, confirmed: c.boolean, by_application: c.boolean },
)

/** The payload of jobs that are about one user. */
export function parseUser(payload: unknown): { user: Id } {
  const given = typeof payload === 'object' && payload !== null && 'user' in payload ? payload.user : undefined
  const user = typeof given === 'string' ? parseId(given) : undefined
  if (user === undefined) throw new Error('the payload names no user')
  return { user }
}

interface Confirmation {
  email: string
  username: string
  /** The user is confirmed already, and changes the address. */
  confirmed: boolean
  link: string
  site: string
}

function writeLetter({ email, username, confirmed, link, site }: Confirmation): Letter {
  const what = confirmed
    ? `Please confirm that ${email} is to be your new e-mail address on ${site}.`
    : `Somebody, hopefully you, has signed up on ${site} with this e-mail address. Please confirm that it is yours.`
  const otherwise = 'The link is good for two days. If it was not you, leave this letter unanswered.'
  return {
    to: email,
    subject: confirmed ? `Confirm your new e-mail address for ${site}` : `Confirm your e-mail address for ${site}`,
    text: `Hello ${username},\n\n${what}\n\n${link}\n\n${otherwise}\n`,
    html:
      `<p>Hello ${escapeHtml(username)},</p><p>${escapeHtml(what)}</p>` +
      `<p><a href="${escapeHtml(link)}">Confirm my e-mail address</a></p><p>${escapeHtml(otherwise)}</p>`,
  }
}

/**
 * Sends a user the link that confirms the address: the one signed up with, or the one it is to be changed to. Each letter has a token of its
 * own, which takes the place of the one before; only its hash is stored, so it is made here and not when the job is enqueued.
 */
export const sendConfirmation = job<{ user: Id }, Services>(
  'accounts.send_confirmation',
  parseUser,
  async ({ user }, { database, mail, config, settings }) => {
    const token = randomSecret()
    const row = await database.one(renewConfirmation, { user, token_hash: hashSecret(token) })
    if (!row) return
    const link = new URL('/auth/confirmation', config.publicUrl)
    link.searchParams.set('confirmation_token', token)
    if (row.by_application && !row.confirmed) link.searchParams.set('redirect_to_app', 'true')
    await mail.send(writeLetter({ ...row, link: link.href, site: settings.get('site_title') }))
  },
)
