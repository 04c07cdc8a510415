import { c, query } from '../database/index.ts'
import { parseId, type Id } from '../id.ts'
import { job } from '../jobs/index.ts'
import { html } from '../pages/index.ts'
import type { Services } from '../services.ts'

const findLetter = query(
  'moderation/letter',
  { warning: c.id },
  { email: c.text, username: c.text, action: c.text, text: c.text, status_ids: c.ids },
)

/** Subject, and what has happened, by what was done. */
const WORDS: Readonly<Record<string, readonly [subject: string, what: string]>> = {
  none: ['Warning for @', 'The moderators have sent you a warning.'],
  disable: [
    'Frozen: @',
    'You can no longer use your account. Your profile and other data stay as they are until your account is enabled again.',
  ],
  mark_statuses_as_sensitive: [
    'Posts marked as sensitive: @',
    'Some of your posts have been marked as sensitive: people have to tap their media before these are shown.',
  ],
  delete_statuses: ['Posts removed: @', 'Some of your posts were found to break the rules, and have been removed.'],
  sensitive: [
    'Sensitive: @',
    'From now on all your media are marked as sensitive: people have to tap them before these are shown.',
  ],
  silence: [
    'Limited: @',
    'Only people who follow you see your posts in their timelines, and you are left out of public lists. Others can still follow you.',
  ],
  suspend: [
    'Suspended: @',
    'You can no longer use your account, and your profile and other data are no longer accessible.',
  ],
}

/** Writes to a person about a strike. */
export const mailWarning = job<{ warning: Id }, Services>(
  'moderation:mail',
  parsePayload,
  async ({ warning }, { database, mail, settings, config }) => {
    const row = await database.one(findLetter, { warning })
    const words = row && WORDS[row.action]
    if (!words) return
    const [subject, what] = words
    const links = row.status_ids.map(id => `${config.publicUrl}/@${row.username}/${id}`)
    const said = row.text === '' ? [] : [row.text]
    const hello = `Hello ${row.username},`
    const about = `This is about your account @${row.username} on ${settings.get('site_title')}.`
    await mail.send({
      to: row.email,
      subject: `${subject}${row.username} on ${settings.get('site_title')}`,
      text: [hello, about, what, ...said, ...(links.length > 0 ? [links.join('\n')] : [])].join('\n\n') + '\n',
      html: html`<p>${hello}</p>
        <p>${about}</p>
        <p>${what}</p>
        ${said.map(text => html`<blockquote>${text}</blockquote>`)}
        <ul>
          ${links.map(link => html`<li>${link}</li>`)}
        </ul>`.text,
    })
  },
)

function parsePayload(payload: unknown): { warning: Id } {
  const given = typeof payload === 'object' && payload !== null && 'warning' in payload ? payload.warning : undefined
  const warning = typeof given === 'string' ? parseId(given) : undefined
  if (warning === undefined) throw new Error('the payload names no strike')
  return { warning }
}
