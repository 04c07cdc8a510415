/** People: profiles, sign-up, and how accounts relate to each other. */
export type { AccountFragment } from './fragment.ts'
export { accountFragments, renderAccount, renderAccounts } from './render.ts'
