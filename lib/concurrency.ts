import { allRoutes } from '../shared/app/all-routes.ts';
import { connectResults, importFile } from '../shared/app/event-functions.ts';
import { authorizeRequest } from '../shared/app/gateway-functions.ts';
import { classOf, type DeployedFunction, deployedFunctions } from './deployed-functions.ts';
import type { RouteClass, StackSettings } from './settings/settings.ts';
import { StackSettingError } from './settings/stage-file.ts';

/**
 * Instances. An export may run for 15 minutes. Without a limit, one reader could take all functions
 * of the account from the dialers.
 */
const usualOfExport = 5;
/** Requests a second for each instance of a function. A request of a dialer takes about 50 ms. */
const dialsOfInstance = 20;
/** Instances of the account that Lambda keeps for functions without a reservation. */
const neverReserved = 100;
/** Instances that an account gets on request. A new account has fewer. */
const usualOfAccount = 1000;
const newAccount = 10;

/** The authorizer is called for every request of a dialer. */
const classes: Readonly<Record<string, RouteClass>> = {
  [authorizeRequest.id]: 'dial',
  [connectResults.id]: 'dial',
  [importFile.id]: 'import',
};

const classOfFunction = ({ id }: Pick<DeployedFunction, 'id'>): RouteClass | undefined => {
  const route = allRoutes.find((each) => each.id === id);
  return route === undefined ? classes[id] : classOf(route);
};

type OfEach = Partial<Record<RouteClass, number>>;

/**
 * How many instances are reserved for each function of a class. A function has at least and at most
 * that many. The functions of dialers have a share of their own, so that imports, exports and pages
 * cannot take all instances, if the account has enough for it.
 * @throws StackSettingError if the file wants more than the account has
 */
export const reservedConcurrency = ({
  stage,
  disposable,
  concurrency,
  connect,
  throttles,
}: StackSettings): OfEach => {
  const { ofAccount, ofEach } = concurrency;
  const room = (ofAccount ?? (disposable ? newAccount : usualOfAccount)) - neverReserved;
  const countOf = (of: RouteClass) =>
    deployedFunctions.filter(
      (each) => classOfFunction(each) === of && !(each.needsConnect && connect === undefined),
    ).length;
  const reserved: OfEach = {};
  let left = room;
  const reserve = (of: RouteClass, count: number) => {
    reserved[of] = count;
    left -= count * countOf(of);
  };
  const wanted = Object.entries(ofEach) as [RouteClass, number | 'none' | undefined][];
  for (const [of, count] of wanted) if (typeof count === 'number') reserve(of, count);
  if (ofAccount !== undefined && left < Math.min(0, room))
    throw new StackSettingError(
      `stages/${stage}.json: accountConcurrency: leaves ${room} to reserve, and the functions of the stage reserve ${room - left}`,
    );
  const usual: [RouteClass, number][] = [
    ['export', usualOfExport],
    ['dial', Math.ceil(throttles.dial.rate / dialsOfInstance)],
  ];
  for (const [of, count] of usual)
    if (ofEach[of] === undefined && count * countOf(of) <= left) reserve(of, count);
  return reserved;
};

export const concurrencyOf = (
  deployed: Pick<DeployedFunction, 'id'>,
  reserved: OfEach,
): number | undefined => {
  const of = classOfFunction(deployed);
  return of && reserved[of];
};
