import { createHmac } from 'node:crypto'
import type { Id } from '../../core/id.ts'
import type { Viewer } from '../../core/viewer.ts'
import { c, query, type Database } from '../../platform/database/index.ts'
import { sendNotice } from '../../platform/mail/messages/index.ts'
import type { Services } from '../../platform/services.ts'
import { holdSession, type Session, type WebSession } from '../sessions/index.ts'
import { CHALLENGE_MS, findKeys, knownTransports, relyingParty } from './keys.ts'
import { parseRegistration } from './responses.ts'

const add = query(
  'auth/security_keys/add',
  {
    user: c.id,
    external_id: c.text,
    public_key: c.bytes,
    sign_count: c.bigint,
    nickname: c.text,
    transports: c.texts,
    limit: c.integer,
  },
  { id: c.id, events: c.events },
)
const remove = query(
  'auth/security_keys/remove',
  { user: c.id, key: c.id },
  { id: c.id, nickname: c.text, events: c.events },
)

const MAX_KEYS = 20

/** The options for the browser, whose challenge the session keeps. */
export async function startRegistration(
  { database, config, secrets, settings }: Services,
  webSession: WebSession,
  viewer: Viewer,
): Promise<object> {
  const keys = await findKeys(database, viewer.userId)
  const { generateRegistrationOptions } = await import('@simplewebauthn/server')
  const handle = createHmac('sha256', `webauthn:${secrets.cookieSecret}`).update(viewer.userId).digest()
  const options = await generateRegistrationOptions({
    rpName: settings.get('site_title'),
    rpID: relyingParty(config).id,
    userName: `${viewer.username}@${config.localDomain}`,
    userID: new Uint8Array(handle),
    attestationType: 'none',
    timeout: CHALLENGE_MS,
    excludeCredentials: keys.map(key => ({ id: key.external_id, transports: knownTransports(key.transports) })),
    authenticatorSelection: { residentKey: 'discouraged', userVerification: 'discouraged' },
  })
  webSession.expectAssertion(options.challenge)
  return options
}

/**
 * Stores a new key that answered the challenge of the session, and notifies the user by e-mail.
 * @returns `wrong`: the response is invalid; `taken`: the key or its name is in use, or there are
 * too many; `signed out`: the session was ended meanwhile, as by a reset of the password
 */
export async function registerKey(
  { database, config }: Pick<Services, 'database' | 'config'>,
  webSession: WebSession,
  user: Id,
  nickname: string,
  credential: unknown,
): Promise<'added' | 'wrong' | 'taken' | 'signed out'> {
  const expected = webSession.takeChallenge(CHALLENGE_MS)
  const response = parseRegistration(credential)
  if (!expected || !response) return 'wrong'
  const { id: rpId, origin } = relyingParty(config)
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const verified = await verifyRegistrationResponse({
    response,
    expectedChallenge: expected.challenge,
    expectedOrigin: origin,
    expectedRPID: rpId,
    requireUserVerification: false,
  }).catch(() => undefined)
  if (verified?.verified !== true) return 'wrong'
  const { credential: key } = verified.registrationInfo
  return database.transaction(async transaction => {
    // Also the turn of simultaneous requests, so that the limit holds.
    if (!(await holdSession(transaction, webSession.session))) return 'signed out'
    const added = await transaction.one(add, {
      user,
      external_id: key.id,
      public_key: Buffer.from(key.publicKey),
      sign_count: String(key.counter),
      nickname,
      transports: knownTransports(response.response.transports),
      limit: MAX_KEYS,
    })
    if (!added) return 'taken'
    await sendNotice(transaction, user, 'security_key_added', { values: { key: nickname } })
    return 'added'
  })
}

/**
 * Removes a key and notifies the user by e-mail.
 * @returns `none`: there was no such key; `signed out`: the session was ended meanwhile
 */
export const removeKey = (
  database: Database,
  session: Session | null,
  user: Id,
  key: Id,
): Promise<'removed' | 'none' | 'signed out'> =>
  database.transaction(async transaction => {
    if (!(await holdSession(transaction, session))) return 'signed out'
    const removed = await transaction.one(remove, { user, key })
    if (!removed) return 'none'
    await sendNotice(transaction, user, 'security_key_removed', { values: { key: removed.nickname } })
    return 'removed'
  })
