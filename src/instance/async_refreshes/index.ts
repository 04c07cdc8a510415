/** Background work that clients poll. */
export { finishRefresh, refreshHeader, runningRefresh, startRefresh } from './refresh.ts'
