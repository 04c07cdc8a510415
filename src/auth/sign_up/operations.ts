import { operations as signUp } from './api/operations.ts'
import { openConfirmation, sendCaptcha, sendConfirmationAgain, showConfirmationRequest } from './confirm.ts'
import { checkConfirmation, requestConfirmation } from './emails.ts'
import { openInvite } from './invited.ts'
import { changeSetup, showSetup } from './setup.ts'
import { acceptRules, createUser, showSignUp } from './sign_up.ts'

export const operations = [
  ...signUp,
  requestConfirmation,
  checkConfirmation,
  openConfirmation,
  sendCaptcha,
  showConfirmationRequest,
  sendConfirmationAgain,
  showSetup,
  changeSetup,
  showSignUp,
  acceptRules,
  createUser,
  openInvite,
]
