/** Work in the background that clients ask about. */
export { finishRefresh, refreshHeader, runningRefresh, startRefresh } from './refresh.ts'
