import { PERMISSION_CATEGORIES, PERMISSIONS } from '../../core/permissions.ts'
import type { RoleInput } from '../../auth/roles/index.ts'

/** The submitted form of a role. */
export interface Draft {
  readonly name: string
  readonly color: string
  readonly position: string
  /** The selected permissions as a bit mask. */
  readonly permissions: number
  readonly highlighted: boolean
  readonly require_2fa: boolean
  readonly collection_limit: string
}

export const CATEGORIES = Object.keys(PERMISSION_CATEGORIES).filter(
  (name): name is keyof typeof PERMISSION_CATEGORIES => Object.hasOwn(PERMISSION_CATEGORIES, name),
)

/** The bit mask of all permissions named anywhere in a form value; unknown names are ignored. */
export function parsePermissions(value: unknown): number {
  if (typeof value === 'string') {
    const bit: number | undefined = new Map(Object.entries<number>(PERMISSIONS)).get(value)
    return bit ?? 0
  }
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce<number>((mask, part) => mask | parsePermissions(part), 0)
}

/** A whole number; NaN for any other text, which validation reports at its field. */
const parseInteger = (text: string): number => (/^-?\d{1,15}$/.test(text.trim()) ? Number(text.trim()) : Number.NaN)

/** The role to save. The base role has no name, position, color or badge. */
export const toRoleInput = (draft: Draft, isBase: boolean): RoleInput => ({
  ...(!isBase && {
    name: draft.name,
    color: draft.color,
    position: parseInteger(draft.position),
    highlighted: draft.highlighted,
  }),
  permissions: draft.permissions,
  require_2fa: draft.require_2fa,
  collection_limit: parseInteger(draft.collection_limit),
})
