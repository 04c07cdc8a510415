import { showActivities } from './activities.ts'
import { endBrowser } from './browsers.ts'
import { showSecurityKeyOptions } from './security-key.ts'
import { showSignIn, signIn } from './sign-in.ts'
import { signOut } from './sign-out.ts'

export const operations = [showSignIn, signIn, showSecurityKeyOptions, signOut, showActivities, endBrowser]
