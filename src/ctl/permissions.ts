import { Refusal } from './refusal.ts'

/** The bits of a role's permissions (api/roles.md, section 1). */
const PERMISSIONS = {
  administrator: 0x1,
  view_devops: 0x2,
  view_audit_log: 0x4,
  view_dashboard: 0x8,
  manage_reports: 0x10,
  manage_federation: 0x20,
  manage_settings: 0x40,
  manage_blocks: 0x80,
  manage_taxonomies: 0x100,
  manage_appeals: 0x200,
  manage_users: 0x400,
  manage_invites: 0x800,
  manage_rules: 0x1000,
  manage_announcements: 0x2000,
  manage_custom_emojis: 0x4000,
  manage_webhooks: 0x8000,
  invite_users: 0x10000,
  manage_roles: 0x20000,
  manage_user_access: 0x40000,
  delete_user_data: 0x80000,
  view_feeds: 0x100000,
  invite_bypass_approval: 0x200000,
  manage_email_subscriptions: 0x400000,
} as const satisfies Record<string, number>

const BITS = new Map<string, number>(Object.entries(PERMISSIONS))
const ALL = 0x7fffff
/** What the base role may hold. */
export const BASE_PERMISSIONS = PERMISSIONS.invite_users | PERMISSIONS.invite_bypass_approval

export const PERMISSION_NAMES = [...BITS.keys()]

/** The mask that a list of names, or a number, stands for. @throws Refusal */
export function parsePermissions(text: string): number {
  if (/^\d+$/.test(text.trim())) {
    const mask = Number(text)
    if (mask > ALL) throw new Refusal(`A mask of permissions is at most ${ALL}`)
    return mask
  }
  let mask = 0
  for (const name of text.split(/[\s,]+/).filter(word => word !== '')) {
    const bit = BITS.get(name)
    if (bit === undefined)
      throw new Refusal(`There is no permission "${name}"; there are ${PERMISSION_NAMES.join(', ')}`)
    mask |= bit
  }
  return mask
}

/** The names of the bits of a mask. */
export const namesOf = (mask: number): string[] =>
  [...BITS].flatMap(([name, bit]) => ((mask & bit) === 0 ? [] : [name]))
