import type { Id } from '../../core/id.ts'
import { limitAttempts } from '../../platform/attempt_limits/index.ts'
import { c, query, type Database } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'
import type { WebSession } from '../sessions/index.ts'
import { CHALLENGE_MS, findKeys, knownTransports, relyingParty } from './keys.ts'
import { parseAssertion } from './responses.ts'

const noteUse = query(
  'auth/security_keys/note_use',
  { key: c.id, before: c.bigint, sign_count: c.bigint, challenged: c.timestamp },
  { id: c.id },
)

/** As for one-time codes, with which the attempts are counted. */
const MAX_FAILURES_PER_HOUR = 10

type Parts = Pick<Services, 'database' | 'config'>

export const hasSecurityKeys = async (database: Database, user: Id): Promise<boolean> =>
  (await findKeys(database, user)).length > 0

/** The options for the browser, whose challenge the session keeps; undefined without a key. */
export async function startAssertion(
  { database, config }: Parts,
  webSession: WebSession,
  user: Id,
): Promise<object | undefined> {
  const keys = await findKeys(database, user)
  if (keys.length === 0) return undefined
  // The library takes 10 MB, which most servers rarely need.
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server')
  const options = await generateAuthenticationOptions({
    rpID: relyingParty(config).id,
    allowCredentials: keys.map(key => ({ id: key.external_id, transports: knownTransports(key.transports) })),
    userVerification: 'discouraged',
    timeout: CHALLENGE_MS,
  })
  webSession.expectAssertion(options.challenge)
  return options
}

/**
 * Checks the response of a key to the challenge of the session, which is used up.
 * @returns `locked`: wrong, and the last attempt checked in this hour; `too many`: not checked
 */
export async function checkSecurityKey(
  { database, config }: Parts,
  webSession: WebSession,
  user: Id,
  credential: unknown,
): Promise<'right' | 'wrong' | 'locked' | 'too many'> {
  const expected = webSession.takeChallenge(CHALLENGE_MS)
  const limit = { name: 'second_factor', key: user, max: MAX_FAILURES_PER_HOUR } as const
  const attempt = await limitAttempts(database, [limit], async () => {
    const response = parseAssertion(credential)
    if (!expected || !response) return undefined
    const key = (await findKeys(database, user)).find(one => one.external_id === response.id)
    if (!key) return undefined
    const { id: rpId, origin } = relyingParty(config)
    const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
    const verified = await verifyAuthenticationResponse({
      response,
      expectedChallenge: expected.challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: false,
      credential: { id: key.external_id, publicKey: new Uint8Array(key.public_key), counter: Number(key.sign_count) },
    }).catch(() => undefined)
    if (verified?.verified !== true) return undefined
    const count = String(verified.authenticationInfo.newCounter)
    const use = { key: key.id, before: key.sign_count, sign_count: count, challenged: expected.at }
    return (await database.one(noteUse, use)) && true
  })
  if (attempt.outcome === 'success') return 'right'
  if (attempt.outcome === 'refused') return 'too many'
  return attempt.isLast ? 'locked' : 'wrong'
}
