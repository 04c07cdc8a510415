import { badge, type Html } from '../../platform/ui/index.ts'
import type { Translator } from '../../platform/i18n/index.ts'

/** The state of an account, in the words of the admin API. */
export interface AccountState {
  readonly suspended: boolean
  readonly silenced: boolean
  readonly sensitized: boolean
  /** Of an account without a user, `disabled` is false, and the other two are true. */
  readonly disabled: boolean
  readonly confirmed: boolean
  readonly approved: boolean
  readonly hasUser: boolean
  readonly memorial?: boolean
}

/** A badge for each limit of an account; without any, the badge "Active". */
export function stateBadges(state: AccountState, { t }: Translator): Html[] {
  const badges = [
    state.suspended && badge(t('accounts.state.suspended'), 'bad'),
    state.silenced && badge(t('accounts.state.silenced'), 'warning'),
    state.sensitized && badge(t('accounts.state.sensitized'), 'warning'),
    state.disabled && badge(t('accounts.state.disabled'), 'bad'),
    state.hasUser && !state.confirmed && badge(t('accounts.state.unconfirmed'), 'warning'),
    state.hasUser && !state.approved && badge(t('accounts.state.pending'), 'warning'),
    state.memorial === true && badge(t('accounts.state.memorial')),
  ].filter(content => content !== false)
  return badges.length > 0 ? badges : [badge(t('accounts.state.active'), 'good')]
}
