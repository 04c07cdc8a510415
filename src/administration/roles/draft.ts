import { PERMISSION_CATEGORIES, PERMISSIONS } from '../../core/permissions.ts'
import type { RoleInput } from '../../auth/roles/index.ts'

/** The form of a role as it was sent. */
export interface Draft {
  readonly name: string
  readonly color: string
  readonly position: string
  /** The chosen permissions as a mask. */
  readonly permissions: number
  readonly highlighted: boolean
  readonly require_2fa: boolean
  readonly collection_limit: string
}

export const CATEGORIES = Object.keys(PERMISSION_CATEGORIES).filter(
  (name): name is keyof typeof PERMISSION_CATEGORIES => Object.hasOwn(PERMISSION_CATEGORIES, name),
)

/** The mask of all permissions that are named anywhere in a part of a form; others are ignored. */
export function maskIn(given: unknown): number {
  if (typeof given === 'string') {
    const bit: number | undefined = new Map(Object.entries<number>(PERMISSIONS)).get(given)
    return bit ?? 0
  }
  if (typeof given !== 'object' || given === null) return 0
  return Object.values(given).reduce<number>((mask, part) => mask | maskIn(part), 0)
}

/** A whole number; what is none becomes NaN, which is refused with an error at its field. */
const numberIn = (text: string): number => (/^-?\d{1,15}$/.test(text.trim()) ? Number(text.trim()) : Number.NaN)

/** A role to save. The base role has neither name nor position, colour or badge. */
export const inputOf = (draft: Draft, isBase: boolean): RoleInput => ({
  ...(!isBase && {
    name: draft.name,
    color: draft.color,
    position: numberIn(draft.position),
    highlighted: draft.highlighted,
  }),
  permissions: draft.permissions,
  require_2fa: draft.require_2fa,
  collection_limit: numberIn(draft.collection_limit),
})
