import { beginTwoFactor, confirmTwoFactor, redirectToOverview, showSecret } from './enrol.ts'
import { disableTwoFactor, makeRecoveryCodes, showTwoFactor } from './overview.ts'

export const operations = [
  showTwoFactor,
  disableTwoFactor,
  makeRecoveryCodes,
  beginTwoFactor,
  showSecret,
  redirectToOverview,
  confirmTwoFactor,
]
