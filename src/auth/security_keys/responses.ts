import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { knownTransports } from './keys.ts'

/*
 * Parses the JSON that browsers send (`PublicKeyCredential.toJSON()`), reduced to the members in
 * use.
 */

type Members = Readonly<Record<string, unknown>>

const membersOf = (value: unknown): Members =>
  typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {}

const BASE64URL = /^[A-Za-z0-9_-]{1,100000}$/

const encoded = (members: Members, name: string): string | undefined => {
  const value = members[name]
  return typeof value === 'string' && BASE64URL.test(value) ? value : undefined
}

/** The response of a new key; undefined when parts are missing. */
export function parseRegistration(value: unknown): RegistrationResponseJSON | undefined {
  const members = membersOf(value)
  const response = membersOf(members['response'])
  const id = encoded(members, 'id')
  const clientDataJSON = encoded(response, 'clientDataJSON')
  const attestationObject = encoded(response, 'attestationObject')
  if (id === undefined || clientDataJSON === undefined || attestationObject === undefined) return undefined
  return {
    id,
    rawId: encoded(members, 'rawId') ?? id,
    type: 'public-key',
    clientExtensionResults: {},
    response: { clientDataJSON, attestationObject, transports: knownTransports(response['transports']) },
  }
}

/** The response of a key to a challenge; undefined when parts are missing. */
export function parseAssertion(value: unknown): AuthenticationResponseJSON | undefined {
  const members = membersOf(value)
  const response = membersOf(members['response'])
  const id = encoded(members, 'id')
  const clientDataJSON = encoded(response, 'clientDataJSON')
  const authenticatorData = encoded(response, 'authenticatorData')
  const signature = encoded(response, 'signature')
  if (id === undefined || clientDataJSON === undefined || authenticatorData === undefined || signature === undefined)
    return undefined
  return {
    id,
    rawId: encoded(members, 'rawId') ?? id,
    type: 'public-key',
    clientExtensionResults: {},
    response: { clientDataJSON, authenticatorData, signature },
  }
}
