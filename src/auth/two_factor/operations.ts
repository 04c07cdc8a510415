import { beginTwoFactor, confirmTwoFactor, leadToOverview, showSecret } from './enrol.ts'
import { disableTwoFactor, makeRecoveryCodes, showTwoFactor } from './overview.ts'

export const operations = [
  showTwoFactor,
  disableTwoFactor,
  makeRecoveryCodes,
  beginTwoFactor,
  showSecret,
  leadToOverview,
  confirmTwoFactor,
]
