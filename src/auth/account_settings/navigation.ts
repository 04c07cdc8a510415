import type { Permission } from '../../core/permissions.ts'
import type { TextKey } from '../../platform/i18n/index.ts'
import type { SettingKey } from '../../platform/settings/index.ts'

interface NavigationItem {
  readonly path: string
  readonly label: TextKey
  /** Shown only to usable accounts whose role has it. */
  readonly permission?: Permission
  /** Shown only while this setting is on. */
  readonly setting?: SettingKey
}

interface NavigationGroup {
  readonly label: TextKey
  readonly items: readonly NavigationItem[]
}

const NAVIGATION_GROUPS = [
  {
    label: 'settings.nav.profile',
    items: [
      { path: '/settings/profile', label: 'profile_settings.title' },
      { path: '/settings/privacy', label: 'privacy.title' },
      { path: '/settings/featured_tags', label: 'featured_tags.title' },
      {
        path: '/settings/email_subscriptions',
        label: 'subscribers.title',
        permission: 'manage_email_subscriptions',
        setting: 'email_subscriptions',
      },
    ],
  },
  {
    label: 'settings.nav.preferences',
    items: [
      { path: '/settings/preferences', label: 'nav.preferences' },
      { path: '/settings/preferences/reading', label: 'reading.title' },
      { path: '/settings/preferences/posting', label: 'posting.title' },
      { path: '/settings/preferences/notifications', label: 'nav.notification_mail' },
      { path: '/settings/filters', label: 'filters.title' },
    ],
  },
  {
    label: 'settings.nav.posts',
    items: [{ path: '/statuses_cleanup', label: 'cleanup.title' }],
  },
  {
    label: 'nav.account',
    items: [
      { path: '/auth/edit', label: 'settings.nav.credentials' },
      { path: '/settings/two_factor_authentication_methods', label: 'nav.two_factor' },
      { path: '/settings/login_activities', label: 'nav.sessions' },
      { path: '/oauth/authorized_applications', label: 'settings.nav.authorized' },
      { path: '/invites', label: 'nav.invites', permission: 'invite_users' },
      { path: '/disputes/strikes', label: 'nav.strikes' },
    ],
  },
  {
    label: 'settings.nav.data',
    items: [
      { path: '/settings/exports', label: 'nav.exports' },
      { path: '/settings/imports', label: 'imports.title' },
      { path: '/settings/migration', label: 'migration.title' },
      { path: '/settings/aliases', label: 'aliases.title' },
    ],
  },
  {
    label: 'settings.nav.development',
    items: [{ path: '/settings/applications', label: 'own_applications.title' }],
  },
] as const satisfies readonly NavigationGroup[]

/** The path of a page in the navigation. */
export type SettingsPath = (typeof NAVIGATION_GROUPS)[number]['items'][number]['path']

/** The navigation of the settings, by groups. */
export const NAVIGATION: readonly (Omit<NavigationGroup, 'items'> & {
  readonly items: readonly (NavigationItem & { readonly path: SettingsPath })[]
})[] = NAVIGATION_GROUPS
