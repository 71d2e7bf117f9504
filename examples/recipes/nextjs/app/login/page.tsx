import { LoginForm } from "../../components/login-form";
import { card, quiet } from "../../components/styles";

export const metadata = { title: "Log in" };

export default function LoginPage() {
  return (
    <div className={`mx-auto mt-[8vh] max-w-sm p-6 sm:p-8 ${card}`}>
      <h1 className="text-2xl font-semibold tracking-tight">Log in</h1>
      <p className={`mt-1 mb-6 ${quiet}`}>
        See the meetings of your company, and record new ones.
      </p>
      <LoginForm />
    </div>
  );
}
