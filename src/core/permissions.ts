/** The bits of a role's permissions. The SQL function `permission` has the same values. */
export const PERMISSIONS = {
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

export type Permission = keyof typeof PERMISSIONS

export const ALL_PERMISSIONS = Object.values(PERMISSIONS).reduce((mask, bit) => mask | bit, 0)

/** The permissions that the base role may have. */
export const BASE_PERMISSIONS = PERMISSIONS.invite_users | PERMISSIONS.invite_bypass_approval

/** Expands a mask: an administrator has every permission. */
export const effectivePermissions = (mask: number): number =>
  (mask & PERMISSIONS.administrator) === 0 ? mask : ALL_PERMISSIONS

/** The same as `has_permission` in SQL. False without a holder. */
export const hasPermission = (holder: { readonly permissions: number } | null | undefined, name: Permission): boolean =>
  (effectivePermissions(holder?.permissions ?? 0) & PERMISSIONS[name]) !== 0

/** The permissions by subject, in the order of the form for a role. */
export const PERMISSION_CATEGORIES = {
  invites: ['invite_users', 'invite_bypass_approval'],
  email: ['manage_email_subscriptions'],
  moderation: [
    'view_dashboard',
    'view_audit_log',
    'manage_users',
    'manage_user_access',
    'delete_user_data',
    'manage_reports',
    'manage_appeals',
    'manage_federation',
    'manage_blocks',
    'manage_taxonomies',
    'manage_invites',
    'view_feeds',
  ],
  administration: [
    'manage_settings',
    'manage_rules',
    'manage_roles',
    'manage_webhooks',
    'manage_custom_emojis',
    'manage_announcements',
  ],
  devops: ['view_devops'],
  special: ['administrator'],
} as const satisfies Readonly<Record<string, readonly Permission[]>>
