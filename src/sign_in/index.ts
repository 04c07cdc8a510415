export { checkLogin, type Login } from './login.ts'
