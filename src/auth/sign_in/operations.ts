import { showActivities } from './activities.ts'
import { endBrowser } from './browsers.ts'
import { showSecurityKeyOptions } from './security_key.ts'
import { showSignIn, signIn } from './sign_in.ts'
import { signOut } from './sign_out.ts'

export const operations = [showSignIn, signIn, showSecurityKeyOptions, signOut, showActivities, endBrowser]
