import type { Id } from '../../core/id.ts'
import type { FormResult, Staff } from '../index.ts'

/**
 * What a moderator sees after an action on an account.
 * @param strike the result of `actOnAccount`
 * @param to the page to return to
 */
export const acted = ({ t }: Staff, strike: Id | undefined, to: string): FormResult =>
  strike === undefined ? { to, alert: t('accounts.acted_meanwhile') } : { to, notice: t('accounts.acted') }
