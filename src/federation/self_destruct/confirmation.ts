import { createHmac } from 'node:crypto'
import { InvalidConfig, type Config } from '../../core/config.ts'
import { sameSecret } from '../../core/secret.ts'
import type { Secrets } from '../../platform/secrets/index.ts'

interface Confirmed {
  readonly config: Pick<Config, 'localDomain' | 'selfDestruct'>
  readonly secrets: Pick<Secrets, 'cookieSecret'>
}

/**
 * The value of SELF_DESTRUCT that confirms the end of this server. It is an HMAC, so that an
 * environment that is copied to another server does not end that one.
 */
export const computeConfirmation = ({ config, secrets }: Confirmed): string =>
  createHmac('sha256', secrets.cookieSecret).update(`self-destruct ${config.localDomain}`).digest('base64url')

/** @throws InvalidConfig when SELF_DESTRUCT is set to another value */
export function requireValidConfirmation(services: Confirmed): void {
  const { selfDestruct: presentedValue } = services.config
  if (presentedValue === undefined) return
  if (sameSecret(computeConfirmation(services), presentedValue)) return
  throw new InvalidConfig('SELF_DESTRUCT is not the value that `ctl self-destruct` prints for this server')
}
