import { registerApplication } from './register.ts'
import { verifyApplication } from './verify.ts'

export const operations = [registerApplication, verifyApplication]
