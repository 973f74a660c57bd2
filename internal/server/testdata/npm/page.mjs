// A conversation on the page, as a person has it, at the size of a screen and of a phone: sign in,
// send, allow a call, see the trace, load the page again, stop an answer. Screenshots go to a
// folder. Its output is what went wrong.
import { chromium } from "playwright-core";

const [address, token, folder] = process.argv.slice(2);
const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
const wrong = (text) => console.log(text);
const expect = (what, ok) => ok || wrong(what);

for (const [name, width, height, colorScheme] of [["wide", 1200, 800, "light"], ["phone", 390, 780, "dark"]]) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  page.on("pageerror", (error) => wrong(`${name}: ${error.message}`));
  page.on("dialog", (dialog) => wrong(`${name}: a script has opened a dialog: ${dialog.message()}`) || dialog.dismiss());
  page.on("console", (m) => m.type() === "error" && !m.text().includes("401") && wrong(`${name}: ${m.text()}`));
  const send = async (text) => {
    await page.fill("#message", text);
    await page.keyboard.press("Enter");
  };
  const ended = (n) => page.locator(".turn-end").nth(n - 1).waitFor();

  await page.goto(address + "/#token=" + token);
  await page.locator("#login").waitFor();
  expect(`${name}: a link alone signs in`, await page.locator("#app").isHidden());
  expect(`${name}: the token of a link is not filled in, or is left in the address`, (await page.inputValue("#token")) === token && !page.url().includes("token"));
  await page.goto(address);
  await page.fill("#token", "a wrong token");
  await page.keyboard.press("Enter");
  await page.locator("#login-error:has-text('not valid')").waitFor();
  await page.fill("#token", token);
  await page.keyboard.press("Enter");
  await page.locator("#composer").waitFor();

  await send('say **bold** <img src=x onerror=alert(1)> [x](javascript:alert(1)) ![y](https://example.com/y.png) <script>alert(1)</script>');
  await ended(1);
  expect(`${name}: Markdown is not shown`, (await page.locator(".answer strong").count()) === 1);
  expect(`${name}: markup of a model is on the page`, (await page.locator("#talk img, #talk script, #talk a[href^=javascript]").count()) === 0);

  await send("call risky");
  await page.locator(".ask").waitFor();
  await page.screenshot({ path: `${folder}/${name}-question.png` });
  expect(`${name}: the button to allow has no focus`, await page.locator(".ask button.main").evaluate((e) => e === document.activeElement));
  await page.keyboard.press("Enter");
  await ended(2);
  expect(`${name}: the result is not there`, (await page.locator(".answer:has-text('The result is')").count()) === 1);

  expect(`${name}: the end of the answer is out of sight`, await page.locator(".turn-end").nth(1).evaluate((e) => e.getBoundingClientRect().bottom <= document.getElementById("talk").getBoundingClientRect().bottom + 1));

  await send("call risky");
  await page.locator(".ask input").fill("too risky");
  await page.keyboard.press("Enter");
  await ended(3);
  expect(`${name}: the call that was denied is not there`, (await page.locator("details.call.failed:has-text('not allowed')").count()) === 1);
  if (name === "phone") {
    await page.click("#menu");
    await page.keyboard.press("Escape");
    expect("phone: Escape does not close the list", await page.locator("#side").isHidden());
  }

  const [trace] = await Promise.all([context.waitForEvent("page"), page.locator(".turn-end a").nth(1).click()]);
  await trace.locator("h2:has-text('Turn 1')").waitFor();
  await trace.screenshot({ path: `${folder}/${name}-trace.png` });
  await trace.close();

  await page.reload();
  await ended(3);
  expect(`${name}: a call is lost after loading again`, (await page.locator("details.call:has-text('risky done')").count()) === 1 && (await page.locator("details.call.failed:has-text('not allowed')").count()) === 1);
  await page.screenshot({ path: `${folder}/${name}.png` });
  const sideways = await page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
  expect(`${name}: the page is wider than the window`, !sideways);
  const unnamed = await page.evaluate(() => [...document.querySelectorAll("button, input, textarea, select")].filter((e) => !e.closest("[hidden]") && !e.textContent.trim() && !e.labels?.length && !e.ariaLabel).length);
  expect(`${name}: ${unnamed} controls have no name`, unnamed === 0);

  await send("wait");
  await page.locator("#stop").waitFor();
  await page.keyboard.press("Escape");
  await ended(4);
  await context.close();
}
await browser.close();
