import { badge, type Html } from '../../platform/ui/index.ts'
import type { Translator } from '../../platform/i18n/index.ts'

/** The state of an account, in the words of the admin API. */
export interface AccountState {
  readonly suspended: boolean
  readonly silenced: boolean
  readonly sensitized: boolean
  /** Without a user these are false, and true. */
  readonly disabled: boolean
  readonly confirmed: boolean
  readonly approved: boolean
  readonly hasUser: boolean
  readonly memorial?: boolean
}

/** The limits of an account; an account without any has the badge "Active". */
export function stateBadges(state: AccountState, { t }: Translator): Html[] {
  const badges = [
    state.suspended && badge(t('accounts.state.suspended'), 'bad'),
    state.silenced && badge(t('accounts.state.silenced'), 'warning'),
    state.sensitized && badge(t('accounts.state.sensitized'), 'warning'),
    state.disabled && badge(t('accounts.state.disabled'), 'bad'),
    state.hasUser && !state.confirmed && badge(t('accounts.state.unconfirmed'), 'warning'),
    state.hasUser && !state.approved && badge(t('accounts.state.pending'), 'warning'),
    state.memorial === true && badge(t('accounts.state.memorial')),
  ].filter(one => one !== false)
  return badges.length > 0 ? badges : [badge(t('accounts.state.active'), 'good')]
}
