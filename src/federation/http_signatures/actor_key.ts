import type { ApiError } from '../../core/errors.ts'
import { c, type Row } from '../../platform/database/index.ts'
import { parsePublicKey, type PublicKey } from '../protocol/index.ts'

export interface ActorKey {
  /** The URI of the actor that lists the key. */
  readonly owner: string
  /** `user@domain`, as the actor claims it. */
  readonly handle: string
  readonly pem: string
  readonly publicKey: PublicKey
}

export interface RemoteKey {
  readonly key: ActorKey
  /** Whether its server was asked for it for this request. */
  readonly fresh: boolean
  /** Why its server did not send it: it is that of the stored account, and may be outdated. */
  readonly failure?: ApiError | undefined
}

export const STORED_KEY = { owner: c.text, public_key: c.text, handle: c.text } as const

export const toActorKey = ({ owner, handle, public_key: pem }: Row<typeof STORED_KEY>): ActorKey => ({
  owner,
  handle,
  pem,
  publicKey: parsePublicKey(pem),
})
