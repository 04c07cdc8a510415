import type { Permission } from '../core/permissions.ts'
import type { TextKey } from '../platform/i18n/index.ts'

/** A link of the staff's navigation, shown to roles with any one of the permissions. */
export interface NavigationItem {
  readonly path: string
  readonly label: TextKey
  readonly permissions: readonly Permission[]
}

/** The navigation of the staff's pages, in groups. */
export const NAVIGATION = [
  {
    label: 'staff.nav.moderation',
    items: [
      { path: '/admin/dashboard', label: 'dashboard.title', permissions: ['view_dashboard'] },
      { path: '/admin/reports', label: 'reports.title', permissions: ['manage_reports'] },
      { path: '/admin/accounts', label: 'accounts.title', permissions: ['manage_users'] },
      { path: '/admin/disputes/appeals', label: 'appeals.title', permissions: ['manage_appeals'] },
      { path: '/admin/trends/tags', label: 'trends.title', permissions: ['manage_taxonomies'] },
      {
        path: '/admin/follow_recommendations',
        label: 'follow_recommendations.title',
        permissions: ['manage_taxonomies'],
      },
      { path: '/admin/instances', label: 'instances.title', permissions: ['manage_federation'] },
      { path: '/admin/deliveries', label: 'deliveries.title', permissions: ['manage_federation'] },
      { path: '/admin/relays', label: 'relays.title', permissions: ['manage_federation'] },
      { path: '/admin/domain_blocks', label: 'domain_blocks.title', permissions: ['manage_federation'] },
      { path: '/admin/domain_allows', label: 'domain_allows.title', permissions: ['manage_federation'] },
      { path: '/admin/email_domain_blocks', label: 'email_blocks.domains', permissions: ['manage_blocks'] },
      { path: '/admin/canonical_email_blocks', label: 'email_blocks.addresses', permissions: ['manage_blocks'] },
      { path: '/admin/ip_blocks', label: 'ip_blocks.title', permissions: ['manage_blocks'] },
      { path: '/admin/username_blocks', label: 'username_blocks.title', permissions: ['manage_blocks'] },
      { path: '/admin/warning_presets', label: 'warning_presets.title', permissions: ['manage_settings'] },
      { path: '/admin/audit_log', label: 'audit_log.title', permissions: ['view_audit_log'] },
    ] as readonly NavigationItem[],
  },
  {
    label: 'staff.nav.site',
    items: [
      { path: '/admin/settings/branding', label: 'site_settings.title', permissions: ['manage_settings'] },
      { path: '/admin/rules', label: 'rule_pages.title', permissions: ['manage_rules'] },
      { path: '/admin/roles', label: 'roles.title', permissions: ['manage_roles'] },
      { path: '/admin/announcements', label: 'announcements.title', permissions: ['manage_announcements'] },
      { path: '/admin/webhooks', label: 'webhooks.title', permissions: ['manage_webhooks'] },
      { path: '/admin/invites', label: 'invites_area.title', permissions: ['manage_invites'] },
      { path: '/admin/custom_emojis', label: 'emojis.title', permissions: ['manage_custom_emojis'] },
      { path: '/admin/terms_of_service', label: 'terms.title', permissions: ['manage_settings'] },
    ] as readonly NavigationItem[],
  },
  {
    label: 'staff.nav.operation',
    items: [
      {
        path: '/admin/tasks',
        label: 'tasks.title',
        permissions: ['manage_settings', 'manage_federation', 'manage_custom_emojis'],
      },
      { path: '/admin/jobs', label: 'jobs.title', permissions: ['view_devops'] },
    ] as readonly NavigationItem[],
  },
] as const satisfies readonly { readonly label: TextKey; readonly items: readonly NavigationItem[] }[]
